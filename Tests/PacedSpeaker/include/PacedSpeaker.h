#pragma once

// A plugin of libasound, loaded by name: nothing here is called.
