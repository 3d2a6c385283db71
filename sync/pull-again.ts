/** The CRM could not be asked: RxDB calls the pull again, which waits at the gate. */
export class PullAgain extends Error {}
