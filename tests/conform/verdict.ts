/** How a clause ends. A case says it by throwing; one that returns has passed. */
export type Verdict = 'pass' | 'fail' | 'lack' | 'skip'

export class Ended extends Error {
  readonly verdict: Exclude<Verdict, 'pass'>
  constructor(verdict: Exclude<Verdict, 'pass'>, message: string) {
    super(message)
    this.verdict = verdict
  }
}

/** The clause is broken. */
export function must(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Ended('fail', message)
}

/** The CRM does not have what is wished. */
export function wished(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Ended('lack', message)
}

/** What the case needs is not there, so nothing is known. */
export function needed(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Ended('skip', message)
}
