import CommandTable
import Glibc
import Linux

/// Where things live, from the environment.
struct Places {
    /// The user's home folder; nil without one.
    let home: String?
    /// The folder of all programs' settings; nil without a home.
    let configurationFolder: String?
    /// Where programs are looked for, as PATH has it.
    let programs: String
    /// Where the session bus is, or nil when nobody says so.
    let busAddress: String?
    /// Where the system's bus is, or nil when nobody says so.
    let systemBusAddress: String?
    private let storePath: String?

    init() {
        self.init(Self.variable)
    }

    private init(_ variable: (String) -> String?) {
        let home = variable("HOME") ?? Self.homeOfUser()
        self.home = home
        // A folder of the XDG base directory specification: a path that is not absolute does not count.
        func folder(_ name: String, _ fallback: String) -> String? {
            if let path = variable(name), path.hasPrefix("/") { return path }
            return home.map { $0 + fallback }
        }
        storePath =
            variable("TOMORROW_STORE") ?? folder("XDG_DATA_HOME", "/.local/share").map { $0 + "/tomorrow" }
        configurationFolder = folder("XDG_CONFIG_HOME", "/.config")
        programs = variable("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
        busAddress = variable("DBUS_SESSION_BUS_ADDRESS")
        systemBusAddress = variable("DBUS_SYSTEM_BUS_ADDRESS")
    }

    /// The configuration file, whether or not it is there; nil without a home.
    var configuration: String? { configurationFolder.map { $0 + "/tomorrow/config" } }

    /// The store's folder.
    func store() throws -> String {
        guard let storePath else {
            throw Failure(
                .storage, "cannot find the store: there is no home folder", advice: "Set TOMORROW_STORE.")
        }
        return storePath
    }

    /// The variables with which a job, whose environment is bare and whose working folder is another, finds
    /// the same places; none where it does so by itself.
    func jobVariables() throws -> [String: String] {
        let bare = Places { _ in nil }
        let store = try store()
        var variables: [String: String] = [:]
        if store != bare.storePath {
            variables["TOMORROW_STORE"] =
                store.hasPrefix("/") ? store : try Self.workingFolder() + "/" + store
        }
        if configurationFolder != bare.configurationFolder {
            variables["XDG_CONFIG_HOME"] = configurationFolder
        }
        return variables
    }

    private static func workingFolder() throws -> String {
        guard let path = getcwd(nil, 0) else { throw SystemError.last }
        defer { free(path) }
        return String(cString: path)
    }

    /// A variable of the environment; an empty one is as good as none.
    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// The home of the account database, for cron jobs and services without HOME.
    private static func homeOfUser() -> String? {
        guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir, folder.pointee != 0 else {
            return nil
        }
        return String(cString: folder)
    }
}
