import Foundation
import TestSupport
import Testing

private let package = ProcessInfo.processInfo.environment["TOMORROW_PACKAGE"]

/// The package on a Debian on which there is nothing else: no Swift, no sound, no cron.
@Suite(
    .enabled(
        if: package != nil && getuid() == 0,
        "TOMORROW_PACKAGE names no package, or this is not root: 'Scripts/test --all' makes one"))
struct PackageSlowTests {
    @Test func thePackageBringsAllThatTheProgramNeedsAndGoesWithoutATrace() throws {
        let said = Noise.bits16(frames: 96_000)
        let rig = try FileRig(microphone: said)
        let debian = try BareDebian(sharing: rig.folder)
        let file = rig.folder.file("package.deb")
        try FileManager.default.copyItem(atPath: try #require(package), toPath: file)
        let today = Rig.Clock("2026-11-30 09:00:00")
        func succeeds(_ script: String, at clock: Rig.Clock? = nil) throws -> Child.Result {
            let result = try debian.run(script, environment: rig.environment(at: clock))
            #expect(result.status == 0, "\(script): \((result.output + result.notes).suffix(1_000))")
            return result
        }

        // What its dependencies do not say is not there.
        _ = try succeeds("apt-get update; apt-get install -y --no-install-recommends libfaketime '\(file)'")
        let paths = try succeeds("dpkg -L tomorrow").output.split(separator: "\n").map(String.init)
        _ = try succeeds(
            """
            cd /usr/share
            tomorrow help --man > /tmp/manual
            gunzip -c man/man1/tomorrow.1.gz | cmp - /tmp/manual
            test -s bash-completion/completions/tomorrow
            test -s zsh/vendor-completions/_tomorrow
            test -s fish/vendor_completions.d/tomorrow.fish
            test -s doc/tomorrow/copyright
            test -s /usr/lib/systemd/user/tomorrow.timer
            cd /
            dpkg --verify tomorrow
            """)

        _ = try succeeds("tomorrow record -y -D mic -d 1 -t 'From the package'", at: today)
        let tomorrow = today.adding(seconds: 86_400)
        #expect(try succeeds("tomorrow list", at: tomorrow).output.contains("From the package"))
        _ = try succeeds("tomorrow play 1 -D speaker", at: tomorrow)
        let played = rig.takePlayed()
        #expect(played.count >= 96_000)
        #expect(played.prefix(96_000) == said.prefix(96_000))

        let service = "sh -c \"$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/user/tomorrow.service)\""
        let expired = try succeeds(service, at: tomorrow.adding(seconds: 86_400))
        #expect(expired.output.hasPrefix("Removed 1 memo"))
        #expect(rig.folder.names(in: "store/audio").isEmpty)

        let named = "find / -xdev -path '\(rig.folder.path)' -prune -o -name '*tomorrow*' -print"
        #expect(try succeeds(named).output.contains("/usr/bin/tomorrow\n"))
        _ = try succeeds("apt-get purge -y tomorrow")
        #expect(try succeeds(named).output == "")
        #expect(try debian.run("dpkg-query -W tomorrow").status == 1)
        // What is still there is somebody else's too.
        let left = paths.filter { $0 != "/." }.map {
            "test ! -e '\($0)' || dpkg -S '\($0)' > /tmp/owner || echo '\($0)'"
        }
        #expect(try succeeds(left.joined(separator: "\n")).output == "")
        // A memo of somebody is none of the package's business.
        #expect(rig.folder.names(in: "store").contains("memos.db"))
    }
}
