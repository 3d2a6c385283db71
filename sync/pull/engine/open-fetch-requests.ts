/**
 * The screens' fetch requests ("questions") that the pulls must still answer: unanswered ones, and failed
 * ones that are still retried (RULES PL8; decisions/pull).
 */
import type { Interest } from '#schemas/device/interest.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import type { QuestionAnswer } from './engine-state.ts'
import { questionsIn, type Question } from '#sync/storage/interests.ts'

/**
 * Identifies a question together with the time it was asked, so that a repeated question is a different one.
 */
export const questionName = ({ key, askedAt }: QuestionAnswer['asked']) => `${key} ${askedAt}`

/** The open questions of a kind, the latest first. */
export async function openQuestions(
  db: SyncDatabase,
  { isStillTried }: { isStillTried(name: string): boolean },
  isRelevant: (question: Question) => boolean,
): Promise<Question[]> {
  const found = await questionsIn(db)
  return found
    .filter(isRelevant)
    .filter((one) => one.state === 'asked' || (one.state === 'failed' && isStillTried(questionName(one))))
    .toSorted((a, b) => (a.askedAt > b.askedAt ? -1 : 1))
}

/** Fetch requests less than a minute older than the latest count as those of one screen. */
const SAME_SCREEN_MS = 60_000

/**
 * True if a fetch request belongs to the screen that is open now.
 * @param at when it was made, ISO 8601
 */
export const isForCurrentScreen = (at: string, questions: readonly Pick<Interest, 'askedAt'>[]): boolean =>
  questions.every(({ askedAt }) => Date.parse(askedAt) - Date.parse(at) < SAME_SCREEN_MS)

/** Returns a function that answers a question, unless the screen has asked again since: that one stays open. */
export const questionAnswerer =
  (db: SyncDatabase, clock: { now(): number }) =>
  async ({ asked, state, total }: QuestionAnswer): Promise<void> => {
    const answeredAt = new Date(clock.now()).toISOString()
    const doc = await db.interests.findOne(asked.key).exec()
    const isSame = ({ askedAt }: Interest) => askedAt === asked.askedAt
    if (!doc || !isSame(doc)) return
    // Checked again within the write, because another tab may have asked again meanwhile.
    await doc.incrementalModify((latest) =>
      isSame(latest) ? { ...latest, state, total, answeredAt } : latest,
    )
  }
