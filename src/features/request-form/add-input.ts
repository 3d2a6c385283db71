import type { ContentOf, Declaration, InputOf } from '#schemas/declare/declare.ts'
import { inputOf } from '#schemas/declare/form-values.ts'

/**
 * Returns the initial values of an add form for a change request: the user's refused input, or else the request's
 * current values (decisions/forms).
 * @param today the request's current values by field name; null if it has none
 * @returns `isPrefilled` is true if the form opens with non-empty current values
 */
export function addInput<D extends Declaration>(
  declaration: D,
  unsent: Partial<ContentOf<D>> | undefined,
  today: Partial<ContentOf<D>> | null,
): { initial: InputOf<D>; isPrefilled: boolean } {
  const initial = inputOf(declaration, unsent ?? today ?? {})
  return { initial, isPrefilled: !unsent && Object.values(initial).some((value) => value !== '') }
}
