/** The labels of codes that the specification does not give, from `VITE_CODE_LABELS` (README). */
import { PIT_FIELDS, type CodeLabels } from '#schemas/pit-labels.ts'

const CODES_MAX = 100
const CODE_MAX = 8
const LABEL_MAX = 50

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isLabel = ([code, label]: [string, unknown]): boolean =>
  code !== '' &&
  code.length <= CODE_MAX &&
  typeof label === 'string' &&
  label !== '' &&
  label.length <= LABEL_MAX

/**
 * @param text JSON: `{"site": {"3": "機械室"}}`; unset: no labels
 * @param log told where it says something else; then there are no labels
 */
export function readCodeLabels(text: unknown, log: (message: string) => void): CodeLabels {
  if (text === undefined || text === '') return {}
  const labels = parsed(text)
  if (labels) return labels
  log('設定 VITE_CODE_LABELS が正しくありません')
  return {}
}

function parsed(text: unknown): CodeLabels | null {
  let tables: unknown
  try {
    tables = JSON.parse(String(text))
  } catch {
    return null
  }
  if (!isObject(tables)) return null
  const isTable = ([field, table]: [string, unknown]) =>
    PIT_FIELDS.some((known) => known === field) &&
    isObject(table) &&
    Object.keys(table).length <= CODES_MAX &&
    Object.entries(table).every(isLabel)
  return Object.entries(tables).every(isTable) ? (tables as CodeLabels) : null
}
