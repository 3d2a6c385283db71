/**
 * The pull of records that belong to requests: one for each collection, each configured by a `PullResource`
 * (RULES PL3–PL5). The engine runs it (`engine.ts`).
 *
 *     requests on the device ─→ lists their screens need ─→ those due, nearest day first ─→ rows
 *     rows ─→ merge ─→ RxDB writes the documents ─→ a receipt, which proves that the list was read
 *
 * RxDB calls the handler again before it has written the documents that it got (trap 14). So a list counts as read in
 * its round at once, and gets its receipt only when its documents have arrived.
 */
import type { WithDeleted } from 'rxdb'
import type { LocalRecord } from '#sync/merge/pulled-row.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { dependentsOf } from '#sync/retention/dependents.ts'
import { asStored, forgetResults, withDocument } from './local-records.ts'
import { eachOnce, type EachOnce } from '#sync/retention/expiry.ts'
import { createOrphans } from './orphans.ts'
import { dueLists } from './due-lists.ts'
import { createPullEngine, type PullEngine } from '#sync/pull/engine/engine.ts'
import { createListMarks } from './list-freshness.ts'
import { LIST_LANES } from './list-reads.ts'
import type { Question } from '#sync/storage/interests.ts'
import { questionAnswerer, openQuestions, questionName } from '#sync/pull/engine/open-fetch-requests.ts'
import type { DueList, ListRound, RecordPull, RecordPullParts } from './record-pull.ts'
import { listWork, oneWork, readerOf } from './record-reads.ts'

/**
 * Maximum number of planned lists: without a signal, thousands would only wait in memory, with their requests.
 */
const PLAN_MAX = 200

/** The pull's state between two calls. */
interface State<R extends LocalRecord> {
  parts: RecordPullParts<R>
  engine: PullEngine<WithDeleted<R>>
  reader: ReturnType<typeof readerOf>
  marks: ReturnType<typeof createListMarks<R>>
  round: ListRound
  plan: Plan
  /** Removals that were returned in this round already. */
  returnedRemovals: EachOnce
  /**
   * True from a refresh by the user until the next plan. Lists whose documents have not arrived are read again then,
   * because RxDB may not have stored them.
   */
  readsPendingAgain: boolean
  orphans: ReturnType<typeof createOrphans<R>>
  /** Marks the plan as outdated, even while it is being made. */
  markPlanOld(): void
}

interface Plan {
  /** Lists still to be read, most urgent first; null if the plan must be made. */
  lists: DueList[] | null
  /** True if there may be due lists that the plan does not contain. */
  isOld: boolean
  /** True if more lists are due than the plan contains. */
  isCut: boolean
  /** Names of the screens' fetch requests that the plan covers, separated by commas. */
  questions: string
}

export function createRecordPull<R extends LocalRecord>(parts: RecordPullParts<R>): RecordPull<R> {
  const { db, api, clock, resource } = parts
  const engine = createPullEngine<WithDeleted<R>>(
    { ...parts, accepted: api.accepted, answer: questionAnswerer(db, clock) },
    { lanes: LIST_LANES, plan: (isOpen) => plan(state, isOpen), expired: () => expired(state) },
  )
  const state: State<R> = {
    parts,
    engine,
    reader: readerOf(parts),
    marks: createListMarks({ ...parts, isKept: resource.owners !== undefined }),
    round: { read: new Set(), refused: new Set(), answered: new Map(), refreshedAt: '' },
    plan: { lists: null, isOld: false, isCut: false, questions: '' },
    returnedRemovals: eachOnce(),
    orphans: createOrphans(parts),
    readsPendingAgain: false,
    markPlanOld: () => void (state.plan.isOld = true),
  }
  const look = () => {
    state.markPlanOld()
    engine.ring()
  }
  return {
    handler: engine.handler,
    ring: engine.ring,
    look,
    refetch(asked) {
      if (asked) {
        state.round.refreshedAt = new Date(clock.now()).toISOString()
        state.readsPendingAgain = true
        engine.clear()
      }
      look()
      beginRound(state)
    },
  }
}

function beginRound<R extends LocalRecord>({ round, returnedRemovals, orphans, marks }: State<R>): void {
  round.read.clear()
  returnedRemovals.again()
  orphans.again()
  for (const owner of round.refused) marks.delete(owner)
  round.refused.clear()
}

/**
 * Plans the reads: screens' fetch requests, then due lists, then expired records.
 * @returns documents to remove; [] if the rest must be planned at once; null if there is nothing to write
 */
async function plan<R extends LocalRecord>(
  state: State<R>,
  isOpen: boolean,
): Promise<WithDeleted<R>[] | null> {
  const { parts, engine, marks } = state
  const { name, db } = parts
  await marks.load()
  await marks.confirm(engine.isBusy() && !state.readsPendingAgain)
  if (state.readsPendingAgain) marks.missed(null) // All lists that are still pending.
  state.readsPendingAgain = false
  const isQuestion = ({ kind, resource }: Question) =>
    (kind === 'list' && resource === name) || (kind === 'detail' && (!resource || resource === name))
  const questions = await openQuestions(db, engine, isQuestion)
  for (const asked of questions)
    if (asked.kind === 'detail' && asked.resource === name) engine.offer(oneWork(state, asked))
  const lists = await plannedLists(state, questions.map(questionName).join())
  const remaining = lists.filter((list) => !engine.offer(listWork(state, list)))
  state.plan.lists = remaining
  if (!isOpen || remaining.length > 0) return null
  // The plan was cut at its maximum: the next one has the rest.
  if (state.plan.isCut) {
    state.plan.lists = null
    return []
  }
  const removed = engine.isBusy() ? [] : await expired(state)
  return removed.length > 0 ? removed : null
}

/** The due lists. Making the plan reads all requests, so the old plan is used if no read could begin anyway. */
async function plannedLists<R extends LocalRecord>(state: State<R>, questions: string): Promise<DueList[]> {
  const { lists, isOld } = state.plan
  const isAsked = questions !== state.plan.questions
  if (lists && !isAsked && !(isOld && state.engine.free('background') > 0)) return lists
  state.plan.isOld = false
  state.plan.questions = questions
  const all = await dueLists(state)
  state.plan.isCut = all.length > PLAN_MAX
  return all.slice(0, PLAN_MAX)
}

/** Removals of records whose requests are no longer on the device, a day after they were last confirmed (RULES EX1). */
async function expired<R extends LocalRecord>(state: State<R>): Promise<WithDeleted<R>[]> {
  const { parts, orphans, marks, returnedRemovals } = state
  const { db, name, resource } = parts
  const old = await orphans.find()
  if (old.length === 0) return []
  const { onRecord } = await dependentsOf(db)
  const over = old.filter((record) => !onRecord(name, record))
  await marks.forget(new Set(over.map(resource.ownerOf)))
  if (isPushCollection(name))
    await forgetResults(
      db,
      name,
      over.map(({ key }) => key),
    )
  const removed = isPushCollection(name) ? await withDocument(db, name, over) : over
  return returnedRemovals.only(removed).map((record) => ({ ...asStored(record), _deleted: true }))
}
