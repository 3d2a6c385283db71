import type { ContentOf, Declaration, InputOf } from '#schemas/declare/declare.ts'
import { inputOf } from '#schemas/declare/form-values.ts'

/**
 * Returns the values that the add form of a change request opens with: those that the user saved but the CRM refused, or
 * else those that are registered now (decisions/forms).
 * @param registered the values that are registered now, by field name; null if there are none
 * @returns `isPrefilled` is true if the form opens with registered values
 */
export function addInput<D extends Declaration>(
  declaration: D,
  unsent: Partial<ContentOf<D>> | undefined,
  registered: Partial<ContentOf<D>> | null,
): { initial: InputOf<D>; isPrefilled: boolean } {
  const initial = inputOf(declaration, unsent ?? registered ?? {})
  return { initial, isPrefilled: !unsent && Object.values(initial).some((value) => value !== '') }
}
