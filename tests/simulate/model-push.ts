/**
 * RxDB's part of a push, as a model, since its timers are real: it gives the handler what was written, all at once, and again
 * when it throws. What RxDB still has to give is forgotten once nothing is sent of it any more.
 */
import type { ChangeRef } from '#sync/changes/change-store.ts'
import type { PushHandler } from '#sync/changes/sender.ts'
import { GateClosed } from '#sync/scheduler/scheduler.ts'

/** RxDB's own wait between two tries of a push (`replications.ts`). */
const RETRY_MS = 10

interface Parts {
  isAlive: () => boolean
  /** Resolves when the condition holds. */
  until: (condition: () => boolean) => Promise<void>
  sleep: (ms: number) => Promise<void>
  note: (line: string) => void
}

export class ModelPush {
  private handler: PushHandler | null = null
  private readonly rows = new Map<string, ChangeRef>()
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** @param rows what RxDB's checkpoint has not passed */
  start(handler: PushHandler, rows: Iterable<ChangeRef>): void {
    this.rows.clear()
    for (const row of rows) this.rows.set(row.id, row)
    this.handler = handler
    void this.pushing(handler)
  }

  stop(): void {
    this.handler = null
  }

  /** @param place null where nothing is sent of it any more */
  written(key: string, place: ChangeRef | null): void {
    if (place) this.rows.set(key, place)
    else this.rows.delete(key)
  }

  private async pushing(handler: PushHandler): Promise<void> {
    const { isAlive, until, note, sleep } = this.parts
    const isOver = () => this.handler !== handler
    while (isAlive()) {
      await until(() => this.rows.size > 0 || isOver())
      if (isOver()) return
      const rows = [...this.rows.values()]
      this.rows.clear()
      for (let isDone = false; !isDone && isAlive() && !isOver();)
        try {
          await handler.push(rows)
          isDone = true
        } catch (error) {
          isDone = error instanceof GateClosed
          if (!isDone) note(`  push: ${String(error)}`)
          if (error instanceof TypeError || error instanceof ReferenceError) throw error
          if (!isDone) await sleep(RETRY_MS)
        }
    }
  }
}
