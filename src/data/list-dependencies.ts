/** Collections the request list depends on: a write that may change the list invalidates its stored copy. */
import { PREFETCH_KEYS } from '#schemas/prefetch-keys.ts'
import { pushCollections } from '#schemas/push-collections.ts'
import { isOfKind, rowKeyOf } from '#schemas/shared.ts'

/** A document as it is written, and as it was before. */
export interface Written {
  document: object
  previous?: object | undefined
}

/** As the storage names them: what a write is told with, in this page and in the frame of another CRM. */
export const listCollections = [...pushCollections, 'requests', 'photos', 'own', 'lookups'] as const

const WHOLE: readonly string[] = ['requests', 'quickReports']
/** A change in any of these states still waits: the stored copy does not tell them apart. */
const OPEN: readonly unknown[] = ['waiting', 'sending', 'unknown']
const MARKS = {
  from: rowKeyOf('interests', PREFETCH_KEYS.from),
  before: rowKeyOf('interests', PREFETCH_KEYS.before),
}

/**
 * Of most collections the list shows only unsent documents, of the marks only whether they exist, and of what only the
 * device has the ledger: a change that is refused is written there and nowhere else.
 */
export function affectsList(collection: string, written: readonly Written[]): boolean {
  if (collection === 'lookups') return written.some(isMarkMadeOrGone)
  if (collection === 'own') return !written.filter(isOfLedger).every(isOpen)
  const isShown = WHOLE.includes(collection) ? () => true : isOfUnsent
  return (
    listCollections.some((name) => name === collection) &&
    written.some((one) => isShown(one) && !isTouch(one))
  )
}

/** An unsent document written again unchanged, so that it is pushed (sync RULES trap 3). Every start does this. */
const isTouch = ({ document, previous }: Written) =>
  fieldOf(previous, 'unsent') === 'yes' && contentOf(document) === contentOf(previous)

const contentOf = (doc: object | undefined) =>
  JSON.stringify(doc, (name, value: unknown) => (name === '_meta' || name === '_rev' ? undefined : value))

const isOfLedger = ({ document }: Written) => isOfKind('ledger', String(fieldOf(document, 'rowKey')))

const isOpen = ({ document, previous }: Written) =>
  [document, previous ?? document].every(
    (row) => OPEN.includes(fieldOf(row, 'state')) && fieldOf(row, '_deleted') !== true,
  )

const fieldOf = (doc: object | undefined, name: string): unknown => doc && Reflect.get(doc, name)

const isOfUnsent = ({ document, previous }: Written) =>
  [document, previous].some((doc) => fieldOf(doc, 'unsent') === 'yes')

function isMarkMadeOrGone({ document, previous }: Written): boolean {
  const key = String(fieldOf(document, 'rowKey'))
  const isThere = (doc: object | undefined) => doc !== undefined && fieldOf(doc, '_deleted') !== true
  return key >= MARKS.from && key < MARKS.before && isThere(document) !== isThere(previous)
}
