/** Reads the CRM's texts from the bodies of its responses (crm-contract 3). */
import { legible } from './text.ts'

/** Returns the texts in a value that is one text or a list, without empty ones. */
function textsIn(value: unknown): string[] {
  const texts = [value].flat().filter((text) => typeof text === 'string')
  return texts.map(legible).filter((text) => text !== '')
}

/**
 * The CRM's texts in the answer to a successful save (spec 8): the body itself or its `message`; [] if there are
 * none.
 */
export const successTexts = (body: unknown): string[] =>
  textsIn(typeof body === 'string' ? body : Reflect.get(Object(body), 'message'))

/**
 * The reasons in a refusal, in the CRM's order: message keys (`ec00011`) or texts; [] if there are none. Fields that
 * are null, empty or of another type are ignored (crm-contract 2).
 * @param body the parsed JSON body, of any shape
 */
export function refusalReasons(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return []
  const candidates = ['errors', 'error', 'message'].map((name) => textsIn(Reflect.get(body, name)))
  return candidates.find((texts) => texts.length > 0) ?? []
}
