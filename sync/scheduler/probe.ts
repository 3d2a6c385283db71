/** The connectivity probe (crm-contract 4): any answer is a success. It goes when no call of use wants to (RULES OC10). */
import { map, switchMap, type Observable } from 'rxjs'
import type { Circuit } from './circuit.ts'
import { RANKS } from './lanes.ts'
import type { Http } from '#sync/transport/http.ts'

/** @returns one probe: whether there was an answer, null where it was not let through */
export function createProbe(circuit: Circuit, http: Http, url: string): () => Observable<boolean | null> {
  const guarded = circuit.guard(http, { probe: true })
  return () =>
    circuit.turn$(RANKS.probe).pipe(
      switchMap(() => guarded({ method: 'GET', url, signed: false, withoutBody: true })),
      map((answer) => (answer.kind === 'answer' ? true : answer.sent ? false : null)),
    )
}
