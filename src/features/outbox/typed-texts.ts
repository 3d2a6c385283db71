/** What was typed into a form and not saved, in words: codes and ticks say nothing here. Pure. */
import { declared } from '#schemas/declared.ts'
import type { Field } from '#schemas/declare.ts'
import type { PushCollection } from '#schemas/push-collections.ts'
import { isBlank } from '#schemas/text.ts'

/** @param values of the form's draft, as JSON; '' where nothing was typed */
export function typedTexts(resource: PushCollection, values: string): string[] {
  const typed = values === '' ? {} : (JSON.parse(values) as Record<string, unknown>)
  return Object.entries<Field>(declared[resource].fields).flatMap(([name, { kind }]) => {
    const text = kind === 'text' ? typed[name] : ''
    return typeof text === 'string' && !isBlank(text) ? [text] : []
  })
}
