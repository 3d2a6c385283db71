/**
 * What a phone calls again and again (RULES FL1), also where the CRM answers each time, or answers others: a round that
 * finds nothing done begins anew at once, and the budget of calls in vain does not see it (`call-budget.ts`).
 */
const MINUTE_MS = 60_000

export class RepeatedCalls {
  private readonly calls = new Map<string, number[]>()
  private readonly most: number
  private readonly broken: (rule: string, text: string) => void

  /** @param most calls of one phone for the same thing that may begin in any minute */
  constructor(most: number, broken: (rule: string, text: string) => void) {
    this.most = most
    this.broken = broken
  }

  /** @param what the call is for: a read's path with its query, the kind of a write */
  called(phone: string, what: string, now: number): void {
    const key = `${phone} ${what}`
    const lately = [...(this.calls.get(key) ?? []).filter((at) => at > now - MINUTE_MS), now]
    this.calls.set(key, lately)
    if (lately.length > this.most)
      this.broken('FL1', `${phone} calls ${what} over ${this.most} times in a minute: ${lately.length}`)
  }
}
