import Glibc
import Testing

@testable import ALSA

@Suite struct RecoveryPolicyTests {
    @Test func anOverrunIsPrepared() {
        var policy = RecoveryPolicy()
        #expect(policy.action(for: -EPIPE) == .prepare)
    }

    @Test(arguments: [ENODEV, EIO, EBADFD, ENOTCONN])
    func aDeviceThatIsGoneIsGivenUpAtOnce(code: Int32) {
        var policy = RecoveryPolicy()
        #expect(policy.action(for: -code) == .giveUp)
    }

    @Test(arguments: [EPIPE, ESTRPIPE])
    func noErrorIsRecoveredFromForEver(code: Int32) {
        var policy = RecoveryPolicy()
        let actions = (0..<1_000).map { _ in policy.action(for: -code) }
        #expect(actions.last == .giveUp)
        #expect(actions.firstIndex(of: .giveUp)! <= 40)
    }

    @Test func aDeviceThatStaysSuspendedIsPreparedAnew() {
        var policy = RecoveryPolicy()
        let actions = (0..<40).map { _ in policy.action(for: -ESTRPIPE) }
        #expect(actions.first == .resume)
        #expect(actions.last == .prepare)
    }

    @Test func soundThatFlowsAgainStartsTheCountAnew() {
        var policy = RecoveryPolicy()
        for _ in 0..<1_000 {
            #expect(policy.action(for: -EPIPE) == .prepare)
            policy.succeeded()
        }
    }
}
