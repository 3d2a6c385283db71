/** The answers that a phone keeps for conditional reads, by user. */
import type { CachedAnswer, AnswerCache } from '#sync/scheduler/api.ts'

export function keptAnswersOf(answers: Map<string, CachedAnswer>, user: string): AnswerCache {
  const of = (url: string) => `${user} ${url}`
  return {
    get: async (url) => answers.get(of(url)),
    put: (url, answer) => void answers.set(of(url), answer),
    confirm: () => undefined,
    remove: (url) => void answers.delete(of(url)),
    expire: async () => undefined,
  }
}
