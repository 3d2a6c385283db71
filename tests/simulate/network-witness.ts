/** Who is told of the calls on their way, and whose calls they are. */
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import type { Held } from './record-kinds.ts'
import type { Proc } from './scheduler.ts'

export interface Link {
  device: string
  proc: Proc
  crash: () => void
  /** What runs for a user is stopped; not so the probe, which is the app's. */
  stopped?: AbortSignal
}

/** Who is told of the calls. */
export interface NetworkWitness {
  dispatched(link: Link, call: HttpCall, user: string): void
  /** It has left the app, and there is no signal: nobody sees it, nor answers. */
  vanished(device: string, call: HttpCall): void
  acted(device: string, call: HttpCall, answer: Answer, user: string): void
  answered(device: string, call: HttpCall, answer: Answer): void
  /** A call, or somebody without one, may have changed records. */
  edited(
    device: string,
    call: HttpCall | null,
    before: Held[],
    after: Held[],
    /** The CRM did what was asked. */
    done: boolean,
  ): void
  note(text: string): void
}

/** Who is told of the calls to the file store. */
export interface FileWitness {
  dispatched(link: Link, call: HttpCall, user: string): void
  acted(call: HttpCall, answer: Answer): void
  answered(link: Link, call: HttpCall, answer: Answer): void
  /** The CRM has a record for a request. */
  recordMade(requestId: string): void
}
