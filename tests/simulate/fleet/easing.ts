/** After an outage the lanes that read wait, each for itself, as in `schedule.ts`; sending has its own gate, which is never eased. */
import { easeMs } from '#sync/lib/backoff.ts'
import type { Random } from '../random.ts'
import { pulls } from './window-of-work.ts'

const LANES = ['requests', ...Object.keys(pulls)]

export class Easing {
  private readonly ends = new Map<string, number>()
  private last = 0

  /** The outage is over. @param failures calls in a row without an answer of use */
  begin(now: number, failures: number, random: Random): void {
    for (const lane of LANES) this.ends.set(lane, now + easeMs(failures, random()))
    this.last = Math.max(...this.ends.values())
  }

  /** The browser's `online` event ends it for all. */
  end(): void {
    this.last = 0
  }

  isOver = (now: number): boolean => now >= this.last

  isOpen = (lane: string, now: number): boolean => now >= this.last || (this.ends.get(lane) ?? 0) <= now

  /** When the next lane opens, while not all are. */
  nextAfter = (now: number): number => Math.min(...[...this.ends.values()].filter((end) => end > now))
}
