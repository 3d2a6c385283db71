/** The bodies of refusals (crm-contract 3). */
import { legible } from './text.ts'

const textsIn = (value: unknown): string[] =>
  [value].flat().flatMap((text) => (typeof text === 'string' ? legible(text) || [] : []))

/** What the CRM says of a save that it took (spec 8, status 200): a text, or one in `message`; empty where it says nothing. */
export const saidWithSuccess = (body: unknown): string[] =>
  textsIn(typeof body === 'string' ? body : Reflect.get(Object(body), 'message'))

/**
 * The reasons a refusal gives: message keys (`ec00011`) or plain texts, in the CRM's order; empty where it gives none. A
 * field that is null, empty or of another shape is as absent (crm-contract 2), and says nothing against the others: what is
 * refused without a reason is counted as nobody's own fault (sync RULES OC7).
 * @param body the parsed JSON body, whatever it is
 */
export function refusalReasons(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return []
  const said = ['errors', 'error', 'message'].map((name) => textsIn(Reflect.get(body, name)))
  return said.find((texts) => texts.length > 0) ?? []
}
