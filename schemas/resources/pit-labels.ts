/**
 * Labels of a pit survey's codes, which the operator configures. A file of its own, so that the first screen does not
 * load the code tables.
 */

/** Fields of a pit survey whose labels the specification does not give. */
export const PIT_FIELDS = ['site', 'hatch', 'stepladder', 'observer', 'guide'] as const
export type PitField = (typeof PIT_FIELDS)[number]

/** Labels by field and code, set by the operator (`VITE_CODE_LABELS`). */
export type CodeLabels = Readonly<Partial<Record<PitField, Readonly<Record<string, string>>>>>

const CODES_MAX = 100
const CODE_MAX = 8
const LABEL_MAX = 50

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTextUpTo = (most: number, text: unknown): boolean =>
  typeof text === 'string' && text.length >= 1 && text.length <= most

const isTableOfField = ([field, table]: [string, unknown]): boolean =>
  PIT_FIELDS.some((known) => known === field) &&
  isTable(table) &&
  Object.keys(table).length <= CODES_MAX &&
  Object.entries(table).every(([code, label]) => isTextUpTo(CODE_MAX, code) && isTextUpTo(LABEL_MAX, label))

export const isCodeLabels = (value: unknown): value is CodeLabels =>
  isTable(value) && Object.entries(value).every(isTableOfField)

/** The label of a code; null if there is none. A text that is no number is its own label. */
export function pitLabel(labels: CodeLabels, field: PitField, code: string): string | null {
  const table = labels[field]
  if (table && Object.hasOwn(table, code)) return table[code] ?? null
  return /^\d+$/.test(code) ? null : code
}
