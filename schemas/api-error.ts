/** The bodies of refusals (crm-contract 3). */
import { type } from 'arktype'

const texts = type('string[]').or('string').or('null')

/** A field that is null is as absent (crm-contract 2). */
export const apiErrorBody = type({ 'errors?': texts, 'error?': texts, 'message?': 'string | null' })

/**
 * The reasons a refusal gives: message keys (`ec00011`) or plain texts, in the CRM's order; empty where it gives none.
 * @param body the parsed JSON body, whatever it is
 */
export function refusalReasons(body: unknown): string[] {
  const parsed = apiErrorBody(body)
  if (parsed instanceof type.errors) return []
  return [parsed.errors ?? parsed.error ?? parsed.message ?? []].flat().filter((text) => text !== '')
}
