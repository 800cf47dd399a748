import CommandTable
import Glibc

/// Where things live, from the environment.
struct Places {
    /// The configuration file, whether or not it is there; nil without a home.
    let configuration: String?
    private let storePath: String?

    init() {
        let home = Self.variable("HOME") ?? Self.homeOfUser()
        storePath =
            Self.variable("TOMORROW_STORE")
            ?? Self.folder("XDG_DATA_HOME", home, "/.local/share").map { $0 + "/tomorrow" }
        configuration = Self.folder("XDG_CONFIG_HOME", home, "/.config").map { $0 + "/tomorrow/config" }
    }

    /// The store's folder.
    func store() throws -> String {
        guard let storePath else {
            throw Failure(
                .storage, "cannot find the store: there is no home folder", advice: "Set TOMORROW_STORE.")
        }
        return storePath
    }

    /// A folder of the XDG base directory specification: a path that is not absolute does not count.
    private static func folder(_ name: String, _ home: String?, _ fallback: String) -> String? {
        if let path = variable(name), path.hasPrefix("/") { return path }
        return home.map { $0 + fallback }
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
