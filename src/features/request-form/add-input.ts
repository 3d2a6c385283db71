import type { ContentOf, Declaration, InputOf } from '#schemas/declare/declare.ts'
import { inputOf } from '#schemas/declare/form-values.ts'

/**
 * Returns the initial values of a change request's add form: the user's refused values, or else the values registered
 * in the CRM (decisions/forms).
 * @param registered the registered values by field name; null if there are none
 * @returns `isPrefilled` is true if the values are the registered ones
 */
export function addInput<D extends Declaration>(
  declaration: D,
  unsent: Partial<ContentOf<D>> | undefined,
  registered: Partial<ContentOf<D>> | null,
): { initial: InputOf<D>; isPrefilled: boolean } {
  const initial = inputOf(declaration, unsent ?? registered ?? {})
  return { initial, isPrefilled: !unsent && Object.values(initial).some((value) => value !== '') }
}
