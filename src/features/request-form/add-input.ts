import type { ContentOf, Declaration, InputOf } from '#schemas/declare.ts'
import { inputOf } from '#schemas/form-values.ts'

/**
 * What a form of registering a change request opens with: what was saved here and refused, else what the request has today
 * (decisions/forms).
 * @param today the values of the request by the names of the fields; null where it has none
 * @returns `asToday`: the form opens with today's values, of which there are some
 */
export function addInput<D extends Declaration>(
  declaration: D,
  unsent: Partial<ContentOf<D>> | undefined,
  today: Partial<ContentOf<D>> | null,
): { initial: InputOf<D>; asToday: boolean } {
  const initial = inputOf(declaration, unsent ?? today ?? {})
  return { initial, asToday: !unsent && Object.values(initial).some((value) => value !== '') }
}
