/**
 * The connectivity probe (crm-contract 4): any answer is a success. It is only sent when no other call waits
 * (RULES OC10).
 */
import { map, switchMap, type Observable } from 'rxjs'
import type { Circuit } from './circuit.ts'
import { RANKS } from './lanes.ts'
import type { Http } from '#sync/transport/http.ts'

/**
 * Returns a function that probes once. Emits true for an answer, false for none, null if the circuit did not
 * admit it.
 */
export function createProbe(circuit: Circuit, http: Http, url: string): () => Observable<boolean | null> {
  const guarded = circuit.guard(http, { probe: true })
  return () =>
    circuit.admission$(RANKS.probe).pipe(
      switchMap(() => guarded({ method: 'GET', url, signed: false, withoutBody: true })),
      map((answer) => (answer.kind === 'answer' ? true : answer.sent ? false : null)),
    )
}
