/**
 * When a phone's disk takes nothing (RULES ST4): every write of a while fails. Who writes must come back, and not at once: so
 * often in a minute nothing is tried that waits between two tries.
 */
import type { Item } from './plan-item.ts'

const MOST_A_MINUTE = 150
const MINUTE_MS = 60_000

export class FullDisk {
  on = true
  private readonly failed = new Map<string, number[]>()
  private readonly planned: readonly Extract<Item, { kind: 'full' }>[]
  private readonly elapsed: () => number
  private readonly broken: (rule: string, text: string) => void

  constructor(
    planned: readonly Extract<Item, { kind: 'full' }>[],
    elapsed: () => number,
    broken: (rule: string, text: string) => void,
  ) {
    this.planned = planned
    this.elapsed = elapsed
    this.broken = broken
  }

  /** Called for every write. @returns whether it fails */
  refuses(device: string): boolean {
    const now = this.elapsed()
    if (!this.on || !this.planned.some(({ at, ms }) => at <= now && now < at + ms)) return false
    const failed = (this.failed.get(device) ?? []).filter((at) => at > now - MINUTE_MS)
    this.failed.set(device, [...failed, now])
    if (failed.length >= MOST_A_MINUTE)
      this.broken('ST4', `${device} tried to write ${failed.length + 1} times in a minute, on a full disk`)
    return true
  }
}
