/** What the list of drafts reads of a sheet's draft (decisions/forms). */
const SHEET = /^sheet\/([a-z-]+)\//

export interface UnfinishedSheet {
  /** Opens it: `?sheet=name`. */
  name: string
  /** Key of the draft of the form that it was filled in from. */
  form: string
}

/**
 * Returns a sheet with texts that no picture shows yet; null for one that is a picture as it is, and for other drafts.
 * @param values the draft's values as JSON
 */
export function unfinishedSheet(key: string, values: string): UnfinishedSheet | null {
  const [, name] = SHEET.exec(key) ?? []
  if (name === undefined || values === '') return null
  const { form, pictures } = (JSON.parse(values) ?? {}) as { form?: unknown; pictures?: unknown }
  const isFinished = !Array.isArray(pictures) || pictures.length > 0
  return typeof form === 'string' && !isFinished ? { name, form } : null
}
