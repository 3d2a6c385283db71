/** Which writes of a run fail, or are the last thing their process does. */
import type { Item } from './plan-item.ts'

export type Strike = Extract<Item, { kind: 'strike' }>

export class Strikes {
  on = true
  private writes = 0
  private readonly planned: readonly Strike[]

  constructor(planned: readonly Strike[]) {
    this.planned = planned
  }

  /** Called for every write. */
  next(): Strike | undefined {
    const number = (this.writes += 1)
    return this.on ? this.planned.find(({ write }) => write === number - 1) : undefined
  }
}
