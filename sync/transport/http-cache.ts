/** What the CRM answered to a read, kept so that "not modified" can be answered from it (decisions/pull). */
import type { Answer } from './outcome.ts'

export interface CachedAnswer {
  /** As it came, weak or strong. */
  etag: string
  /** The JSON as it came. */
  text: string
  /** Its `x-total-count`. */
  total: number | null
}

/** One store per user, beside RxDB; what is lost of it costs a whole answer and nothing else. None of it throws. */
export interface AnswerCache {
  get(url: string): Promise<CachedAnswer | undefined>
  put(url: string, answer: CachedAnswer): void
  /** The CRM said that it still holds. */
  confirm(url: string): void
  remove(url: string): void
  /** What was not confirmed for a day goes. @param now epoch ms */
  expire(now: number): Promise<void>
}

/** Weak ones too: of what is only read, equal meaning is enough (RFC 9110 8.8.3.2). */
const TAG = /^(?:W\/)?"[\x21\x23-\x7e]{1,256}"$/

export const isTag = (header: string | null | undefined): header is string => TAG.test(header ?? '')

/** By weak comparison. */
export const isSameTag = (a: string, b: string): boolean => opaque(a) === opaque(b)
const opaque = (tag: string) => tag.replace(/^W\//, '')

/** Of an answer that may be kept; undefined of all others. */
export function toCache(answer: Answer): CachedAnswer | undefined {
  if (answer.kind !== 'answer' || answer.status !== 200 || answer.text === undefined) return undefined
  const { etag, text, total } = answer
  return isTag(etag) ? { etag, text, total } : undefined
}
