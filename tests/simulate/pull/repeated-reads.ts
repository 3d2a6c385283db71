/**
 * No phone reads the same thing again and again (RULES FL1), also where the CRM answers each time: a round that finds nothing
 * done begins anew at once, and the budget of calls in vain does not see it (`call-budget.ts`).
 */
const MOST_A_MINUTE = 30
const MINUTE_MS = 60_000

export class RepeatedReads {
  private readonly calls = new Map<string, number[]>()
  private readonly broken: (rule: string, text: string) => void

  constructor(broken: (rule: string, text: string) => void) {
    this.broken = broken
  }

  /** A read leaves. @param path with its query */
  called(phone: string, path: string, now: number): void {
    const key = `${phone} ${path}`
    const lately = [...(this.calls.get(key) ?? []).filter((at) => at > now - MINUTE_MS), now]
    this.calls.set(key, lately)
    if (lately.length > MOST_A_MINUTE)
      this.broken('FL1', `${phone} reads ${path} over ${MOST_A_MINUTE} times in a minute`)
  }
}
