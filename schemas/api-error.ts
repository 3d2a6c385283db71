/** Reads the CRM's texts from the bodies of its responses (crm-contract 3). */
import { legible } from './text.ts'

const textsIn = (value: unknown): string[] =>
  [value].flat().flatMap((text) => (typeof text === 'string' ? legible(text) || [] : []))

/**
 * The CRM's texts in the body of a successful save (spec 8, status 200): a string, or `message`; empty if there are
 * none.
 */
export const successTexts = (body: unknown): string[] =>
  textsIn(typeof body === 'string' ? body : Reflect.get(Object(body), 'message'))

/**
 * The reasons in a refusal: message keys (`ec00011`) or plain texts, in the CRM's order; empty if there are none. A
 * field that is null, empty or of another type counts as absent (crm-contract 2). A refusal without a reason does not
 * count as the change's own fault (sync RULES OC7).
 * @param body the parsed JSON body, of any shape
 */
export function refusalReasons(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return []
  const candidates = ['errors', 'error', 'message'].map((name) => textsIn(Reflect.get(body, name)))
  return candidates.find((texts) => texts.length > 0) ?? []
}
