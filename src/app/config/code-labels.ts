/** Labels of codes without one in the specification, from `VITE_CODE_LABELS` (docs/operate.md). */
import { isCodeLabels, type CodeLabels } from '#schemas/resources/pit-labels.ts'

/**
 * @param text JSON: `{"site": {"3": "機械室"}}`; unset: no labels
 * @param log called for anything else; then there are no labels
 */
export function readCodeLabels(text: unknown, log: (message: string) => void): CodeLabels {
  if (text === undefined || text === '') return {}
  const labels = parsed(text)
  if (labels) return labels
  log('設定 VITE_CODE_LABELS が正しくありません')
  return {}
}

function parsed(text: unknown): CodeLabels | null {
  try {
    const labels: unknown = JSON.parse(String(text))
    return isCodeLabels(labels) ? labels : null
  } catch {
    return null
  }
}
