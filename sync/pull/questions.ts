/**
 * What screens ask for, as the pulls see it (decision 0005): rows of `interests` that wait for an answer, and those answered
 * as failed that are still tried (RULES PL8).
 */
import type { Interest } from '#schemas/interest.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { interestsBesideMarks } from './interests.ts'
import type { ReadBackoffs } from './read-backoff.ts'

/** One question: asked anew, it is another one. */
export const questionName = ({ key, askedAt }: Pick<Interest, 'key' | 'askedAt'>) => `${key} ${askedAt}`

/** The questions of a kind that are open, the latest first. */
export async function openQuestions(
  db: SyncDatabase,
  backoffs: ReadBackoffs,
  isMine: (interest: Interest) => boolean,
): Promise<Interest[]> {
  const found = await interestsBesideMarks(db)
  return found
    .filter(isMine)
    .filter((one) => one.state === 'asked' || (one.state === 'failed' && backoffs.isOpen(questionName(one))))
    .toSorted((a, b) => (a.askedAt > b.askedAt ? -1 : 1))
}

/** Answers a question, unless it was asked anew meanwhile: that one is still to be answered. */
export async function answerQuestion(
  db: SyncDatabase,
  asked: Interest | undefined,
  answer: Pick<Interest, 'state' | 'total' | 'answeredAt'>,
): Promise<void> {
  const doc = asked && (await db.interests.findOne(asked.key).exec())
  if (doc?.askedAt === asked?.askedAt) await doc?.incrementalPatch(answer)
}
