import CommandTable
import Glibc
import Linux
import Terminal

/// The program: reads the command line, runs one command, and ends with its status.
@main
enum Tomorrow {
    static let version = "0.1.0"

    static func main() {
        // Memos are their owner's alone, whatever the shell's umask.
        umask(0o077)
        // A reader that has gone is seen by the write that fails, and must not end a recording.
        signal(SIGPIPE, SIG_IGN)
        // Nor must a limit on the size of files: the write that it refuses says so.
        signal(SIGXFSZ, SIG_IGN)
        // Nor must a terminal on which what runs in the background may not write.
        signal(SIGTTOU, SIG_IGN)
        // What is opened later must not get the number of a stream that was closed.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDWR)
        }
        Console.showsASCII = !VisibleText.prepare()
        Console.exit(run(ProcessArguments.all))
    }

    private static func run(_ arguments: [String]) -> ExitStatus {
        var verbose = false
        do {
            let invocation = try Parser.parse(arguments)
            verbose = invocation.has("verbose")
            return try run(invocation)
        } catch {
            return Failure(error).report(verbose: verbose)
        }
    }

    private static func run(_ invocation: Invocation) throws -> ExitStatus {
        if invocation.has("version") {
            Console.output("tomorrow \(version)\n")
            return .done
        }
        if invocation.has("help") || invocation.command == "help" {
            return try HelpCommand(invocation).run()
        }
        let context = Context(invocation)
        switch invocation.command {
        case "record": return try RecordCommand(context).run()
        case "stop": return try StopCommand(context).run()
        case "list": return try ListCommand(context).run()
        case "play": return try PlayCommand(context).run()
        case "show": return try ShowCommand(context).run()
        case "edit": return try EditCommand(context).run()
        case "delete": return try DeleteCommand(context).run()
        case "import": return try ImportCommand(context).run()
        case "export": return try ExportCommand(context).run()
        case "devices": return try DevicesCommand(context).run()
        case "schedule": return try ScheduleCommand(context).run()
        case "doctor": return try DoctorCommand(context).run()
        case "completion": return try CompletionCommand(context).run()
        case "expire": return try ExpireCommand(context).run()
        default: return try StatusCommand(context).run()
        }
    }
}
