/**
 * The globals of one browser page: its timers, its clocks, its random ids. The bundle of the page is run once for each realm,
 * with these in place of the real ones, so that each tab has modules of its own as in a browser (trap 10), can be frozen,
 * and can die.
 */
import { createHash, createHmac } from 'node:crypto'
import type { Random } from '../random.ts'
import type { Cancel, VirtualTime } from './virtual-time.ts'

/** Who uses the realm at the moment. */
export interface Tenant {
  time: VirtualTime
  /** The phone's clock, epoch ms: people set it. */
  wall(): number
  random: Random
  /** World time until which nothing of the page runs. */
  thawsAt(): number
  /** A browser rounds its clock: by that a timer may run so much before its time. */
  early(): number
}

type Run = (...args: unknown[]) => void

export class Realm {
  private tenant: Tenant | null = null
  private openedAt = 0
  private ids = 0
  private readonly timers = new Map<number, Cancel>()
  private readonly repeating = new Set<number>()

  /** A page is opened: its clock that nobody sets begins. */
  enter(tenant: Tenant): void {
    this.tenant = tenant
    this.openedAt = tenant.time.now
  }

  /** The page is gone. What RxDB waits for between two steps still passes, for its module waits for it in a line. */
  leave(): void {
    for (const id of this.repeating) this.clear(id)
  }

  /** Nothing of an earlier run is left. */
  reset(): void {
    for (const cancel of this.timers.values()) cancel()
    this.timers.clear()
    this.repeating.clear()
    this.tenant = null
  }

  private readonly monotonic = () => (this.tenant ? this.tenant.time.now - this.openedAt : 0)
  private readonly wall = () => this.tenant?.wall() ?? 0

  private start(run: () => void, ms: number, isRepeating: boolean): number {
    const id = (this.ids += 1)
    if (!this.tenant) return id
    const { tenant } = this
    const isEarly = () => Math.min(tenant.early(), ms / 2)
    const next = () => tenant.time.after(Math.max(isRepeating ? 1 : 0, ms - isEarly()), due)
    const due = () => {
      const frozenFor = tenant.thawsAt() - tenant.time.now
      if (frozenFor > 0) return void this.timers.set(id, tenant.time.after(frozenFor, due))
      if (isRepeating) this.timers.set(id, next())
      else this.timers.delete(id)
      run()
    }
    this.timers.set(id, next())
    if (isRepeating) this.repeating.add(id)
    return id
  }

  private clear(id: number): void {
    this.timers.get(id)?.()
    this.timers.delete(id)
    this.repeating.delete(id)
  }

  /** In place of the real globals. */
  globals() {
    const clear = (id: unknown) => typeof id === 'number' && this.clear(id)
    const starting =
      (isRepeating: boolean) =>
      (run: Run, ms = 0, ...args: unknown[]) =>
        this.start(() => run(...args), ms, isRepeating)
    return {
      Date: dateOf(this.wall),
      performance: {
        now: this.monotonic,
        timeOrigin: 0,
        mark: nothing,
        measure: nothing,
        clearMarks: nothing,
        clearMeasures: nothing,
      },
      setTimeout: starting(false),
      setInterval: starting(true),
      clearTimeout: clear,
      clearInterval: clear,
      crypto: cryptoOf(() => this.tenant?.random() ?? 0),
    }
  }
}

const nothing = () => undefined

function dateOf(now: () => number): typeof Date {
  return class extends Date {
    constructor(...args: [] | [number]) {
      if (args.length === 0) super(now())
      else super(...args)
    }
    static override now = now
  } as typeof Date
}

/** The browser's is asynchronous in earnest; this one is done at once, so that nothing waits for a real moment. */
function cryptoOf(random: () => number) {
  const bytesOf = (buffer: Buffer) =>
    buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.length)
  return {
    randomUUID: () => `00000000-0000-4000-8000-${hex(random())}${hex(random()).slice(0, 4)}`,
    subtle: {
      importKey: async (_format: string, key: Uint8Array) => key,
      sign: async (_name: string, key: Uint8Array, text: Uint8Array) =>
        bytesOf(createHmac('sha256', key).update(text).digest()),
      digest: async (_name: string, data: ArrayBuffer | Uint8Array) =>
        bytesOf(createHash('sha256').update(new Uint8Array(data)).digest()),
    },
  }
}

const hex = (chance: number) =>
  Math.floor(chance * 0xffffffff)
    .toString(16)
    .padStart(8, '0')
