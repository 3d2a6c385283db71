/** What all calls of the CRM share: its user id, and the texts in its answers (crm-contract 2, 3). */
import { legible } from './text.ts'

/** The CRM rejects the token as invalid. The status is not in the HTTP standard (crm-contract 3). */
export const INVALID_TOKEN = 498

function textsIn(value: unknown): string[] {
  const texts = [value].flat().filter((text) => typeof text === 'string')
  return texts.map(legible).filter((text) => text !== '')
}

/** The CRM's texts in the answer to a successful save (spec 8): the body itself or its `message`; [] without any. */
export const successTexts = (body: unknown): string[] =>
  textsIn(typeof body === 'string' ? body : Reflect.get(Object(body), 'message'))

/**
 * The reasons in a refusal, in the CRM's order: message keys (`ec00011`) or texts. Fields that are null, empty or of
 * another type are ignored (crm-contract 2).
 */
export function refusalReasons(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return []
  const candidates = ['errors', 'error', 'message'].map((name) => textsIn(Reflect.get(body, name)))
  return candidates.find((texts) => texts.length > 0) ?? []
}

/** `loginUserId` of a call: the user's `supplierStaffId`, or the user's `id` without one (crm-contract 2). */
export const loginUserId = (user: { id: string; supplierStaffId?: string | null }): string =>
  user.supplierStaffId || user.id
