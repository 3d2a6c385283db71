/**
 * What screens ask for, as the pulls see it (decisions/pull): rows of `interests` that wait for an answer, and those
 * answered as failed that are still tried (RULES PL8).
 */
import type { Interest } from '#schemas/device/interest.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import type { QuestionAnswer } from './engine-state.ts'
import { questionsIn, type Question } from '#sync/storage/interests.ts'

/** One question: asked anew, it is another one. */
export const questionName = ({ key, askedAt }: QuestionAnswer['asked']) => `${key} ${askedAt}`

/** The questions of a kind that are open, the latest first. */
export async function openQuestions(
  db: SyncDatabase,
  { isStillTried }: { isStillTried(name: string): boolean },
  isMine: (question: Question) => boolean,
): Promise<Question[]> {
  const found = await questionsIn(db)
  return found
    .filter(isMine)
    .filter((one) => one.state === 'asked' || (one.state === 'failed' && isStillTried(questionName(one))))
    .toSorted((a, b) => (a.askedAt > b.askedAt ? -1 : 1))
}

/** Fetch requests less than a minute older than the latest count as those of one screen. */
const SAME_SCREEN_MS = 60_000

/** True if a fetch request is of the screen that is open now. @param at ISO 8601 */
export const isForCurrentScreen = (at: string, questions: readonly Pick<Interest, 'askedAt'>[]): boolean =>
  questions.every(({ askedAt }) => Date.parse(askedAt) - Date.parse(at) < SAME_SCREEN_MS)

/** Answers a question, unless it was asked anew meanwhile: that one is still to be answered. */
export const answering =
  (db: SyncDatabase, clock: { now(): number }) =>
  async ({ asked, state, total }: QuestionAnswer): Promise<void> => {
    const answeredAt = new Date(clock.now()).toISOString()
    const doc = await db.interests.findOne(asked.key).exec()
    const isSame = ({ askedAt }: Interest) => askedAt === asked.askedAt
    if (!doc || !isSame(doc)) return
    // and within the write: another tab may have asked anew, and this one not heard of it
    await doc.incrementalModify((latest) =>
      isSame(latest) ? { ...latest, state, total, answeredAt } : latest,
    )
  }
