/**
 * The calls of the file store (crm-contract 5), which refuses with status 200 and `"success": false`. Identical reads at
 * the same time share one call, except read-backs (RULES OC6). No call throws.
 */
import { type } from 'arktype'
import { FILE_SEARCH_LIMIT } from '#schemas/limits.ts'
import {
  fileDoneWire,
  fileFailureWire,
  fileListWire,
  fileTokenWire,
  fileUploadedWire,
  folderListWire,
  folderMadeWire,
} from '#schemas/resources/photo.ts'
import type { UserInfo } from '#schemas/device/session.ts'
import { photoTypeOf } from '#schemas/resources/photo-name.ts'
import { FILES_REFUSED } from '#schemas/changes/photo-queue.ts'
import { outcomeOf, TOO_LARGE, UNAUTHORIZED, type Answer, type Outcome } from '../transport/outcome.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import { bearer, type Http, type HttpCall } from '../transport/http.ts'
import type { SessionStore, SessionTokens } from '../transport/session-tokens.ts'

export type FileResult<T> = { kind: 'accepted'; value: T } | Exclude<Outcome, { kind: 'accepted' }>

type Named = { fileSeq: string; name: string }

export type FileStore = ReturnType<typeof createFileStore>

type Parts = Pick<FileTokenParts, 'http' | 'url' | 'now'> & { token: FileToken }

/** Factor of the usual time limit: a slow line needs up to two minutes for 10 MB. */
const FILE_PATIENCE = 6

interface Sent extends Pick<HttpCall, 'form' | 'lease' | 'bytes' | 'patience'> {
  method?: 'GET' | 'POST'
  body?: object
}

type Parsed<T> = (body: unknown) => T | type.errors

function fileCalls({ http, token, url, now }: Parts) {
  const inProgress = new Map<string, Promise<FileResult<unknown>>>()
  const answerTo = (path: string, { method = 'POST', body, ...sent }: Sent): Promise<Answer> => {
    const unsigned = { method, url: `${url}/openapp/v1/${path}`, signed: false, ...sent }
    const content = body && { body: JSON.stringify(body) }
    return token.authorized((value) => http({ ...unsigned, ...content, headers: { access_token: value } }))
  }
  async function call<T>(
    kind: 'read' | 'write',
    path: string,
    sent: Sent,
    parse: Parsed<T>,
  ): Promise<FileResult<T>> {
    const answer = await answerTo(path, sent)
    const outcome = outcomeOf(answer, kind, now())
    // Only a 401 of the CRM may end the session, so a 401 of the file store gets a reason of its own.
    if (outcome.kind === 'unauthorized' && answer !== UNAUTHORIZED)
      return { ...outcome, reasons: [FILES_REFUSED] }
    // A refusal by a gateway says nothing about a write (RULES OC2). The file store itself refuses with status 200.
    const isRefused = outcome.kind === 'refused' && outcome.status !== 200 && outcome.status !== TOO_LARGE
    if (kind === 'write' && (isRefused || outcome.kind === 'missing'))
      return { kind: 'unknown', status: outcome.status }
    return resultOf(outcome, parse)
  }
  function shared<T>(id: string, run: () => Promise<FileResult<T>>): Promise<FileResult<T>> {
    const same = inProgress.get(id) as Promise<FileResult<T>> | undefined
    const result = same ?? run().finally(() => inProgress.delete(id))
    inProgress.set(id, result)
    return result
  }
  /** @param fresh true if the read must not share the call of an identical read */
  const read = <T>(path: string, sent: Sent, parse: Parsed<T>, fresh = false) => {
    const run = () => call('read', path, sent, parse)
    return fresh ? run() : shared(`${path} ${JSON.stringify(sent)}`, run)
  }
  return { answerTo, call, read, shared }
}

export function createFileStore(parts: Parts) {
  const { answerTo, call, read, shared } = fileCalls(parts)
  return {
    async upload(
      folderId: string,
      { name, type: contentType, bytes }: { name: string; type: string; bytes: ArrayBuffer },
      lease?: Lease,
    ): Promise<FileResult<string>> {
      const form = new FormData()
      form.append('Filedata', new Blob([bytes], { type: contentType }), name)
      const sent = { form, lease, patience: FILE_PATIENCE }
      const result = await call('write', pathOf('files/upload', folderId), sent, uploadedId)
      return result.kind === 'refused' && result.status === 200 ? { ...result, reasons: ['ec00017'] } : result
    },
    rename: (folderId: string, { fileSeq, name }: Named, lease?: Lease) =>
      call('write', pathOf('files/rename', folderId), { body: { file_seq: fileSeq, name }, lease }, done),
    remove: (folderId: string, fileSeq: string, lease?: Lease) =>
      call('write', pathOf('files/delete', folderId), { body: { file_seq: fileSeq }, lease }, done),
    files: (folderId: string, fresh?: boolean) =>
      read(pathOf('files/index', folderId), { method: 'GET' }, fileList, fresh),
    search: (folderId: string, keyword: string, fresh?: boolean) =>
      read(pathOf('files/index', folderId), { body: { keyword, limit: FILE_SEARCH_LIMIT } }, fileList, fresh),
    bytes: (folderId: string, { fileSeq, name }: Named): Promise<FileResult<ArrayBuffer>> =>
      shared(`bytes ${folderId} ${fileSeq}`, async () => {
        const body = { file_seq: fileSeq, name, flag_direct: 'Y' }
        const sent = { body, bytes: true, patience: FILE_PATIENCE }
        const answer = await answerTo(pathOf('files/download', folderId), sent)
        const file = fileIn(answer)
        if (!file) return resultOf(outcomeOf(answer, 'read', parts.now()), type('ArrayBuffer'))
        // Another try would return the same bytes, so the result is final.
        if (!photoTypeOf(file)) return { kind: 'refused', status: 200, reasons: [] }
        return { kind: 'accepted', value: file }
      }),
    /** Creates a folder, or returns the existing folder of this name. May be repeated. */
    makeFolder: (parentId: string, name: string, lease?: Lease) =>
      call('read', pathOf('folders/create', parentId), { body: { name }, lease }, madeFolderId),
    folders: (folderId: string) => read(pathOf('folders/index', folderId), { method: 'GET' }, folderList),
  }
}

const pathOf = (call: string, folderId: string) => `${call}/${encodeURIComponent(folderId)}`

const PAGE_START_BYTES = 64

/** The bytes of a file; null for any other answer. The login page of a public Wi-Fi begins with `<`. */
function fileIn(answer: Answer): ArrayBuffer | null {
  const body = answer.kind === 'answer' && answer.status === 200 ? answer.body : null
  if (!(body instanceof ArrayBuffer)) return null
  return /^\s*</.test(new TextDecoder().decode(body.slice(0, PAGE_START_BYTES))) ? null : body
}

const fileList = fileListWire.pipe(({ lists }) => lists)
const folderList = folderListWire.pipe(({ lists }) => lists)
const madeFolderId = folderMadeWire.pipe(({ node }) => node.id)
const uploadedId = fileUploadedWire.pipe(({ file_seq }) => file_seq)
const done = fileDoneWire.pipe(() => null)

/** Parses an answer. A value that does not parse is ambiguous (RULES OC3). */
function resultOf<T>(outcome: Outcome, parse: Parsed<T>): FileResult<T> {
  if (outcome.kind !== 'accepted') return outcome
  const { status, body } = outcome
  const failure = fileFailureWire(body)
  if (!(failure instanceof type.errors))
    return { kind: 'refused', status, reasons: failure.message ? [failure.message] : [] }
  const value = parse(body)
  return value instanceof type.errors ? { kind: 'unknown', status } : { kind: 'accepted', value }
}

/** The token is only used while the user of this database is signed in (RULES SV4). `url`: base URL of the file store. */
export interface FileTokenParts {
  http: Http
  url: string
  user: UserInfo
  sessions: Pick<SessionStore, 'read'>
  /** The session of the CRM, for which the file store issues its token (crm-contract 5). */
  tokens: Pick<SessionTokens, 'authorizedForFiles'>
  now: () => number
}

/** Milliseconds in which a 401 renews no token, because the file store has also refused a renewed token. */
export const RENEWED_AGAIN_MS = 10 * 60_000

/** A token whose remaining life is shorter, in milliseconds, is renewed before a call. */
const MARGIN_MS = 5_000

type Token = { value: string; until: number }

export type FileToken = ReturnType<typeof createFileToken>

export function createFileToken({ http, url, user, sessions, tokens, now }: FileTokenParts) {
  let cached: Token | null = null
  let request: Promise<Token | Answer> | null = null
  /** Before this time (epoch ms) a 401 renews no token. */
  let refusedUntil = -Infinity

  async function fetchToken(): Promise<Token | Answer> {
    const call = { method: 'POST', url: `${url}/token`, body: JSON.stringify({ userInfo: user }) } as const
    const answer = await tokens.authorizedForFiles((token) => http({ ...call, headers: bearer(token) }))
    // A call that needs the token then has the same outcome (RULES OC2).
    if (answer.kind === 'answer' && [401, 429, 503].includes(answer.status)) return answer
    const parsed = answer.kind === 'answer' && answer.status === 200 && fileTokenWire(answer.body)
    // The token could not be fetched, so the call that needs the token was not sent.
    if (!parsed || parsed instanceof type.errors) return { kind: 'no-answer', sent: false }
    const until = parsed.expire * 1000 - MARGIN_MS
    // If a new token seems expired, the device's clock is wrong. It is then used until the file store answers 401.
    cached = { value: parsed.access_token, until: until > now() ? until : Infinity }
    return cached
  }

  async function current(stale?: Token): Promise<Token | Answer> {
    if (cached && cached !== stale && cached.until > now()) return cached
    request ??= fetchToken().finally(() => (request = null))
    return request
  }

  return {
    /** Sends a call with the token. After a 401 the call is sent once more with a new token. */
    async authorized(send: (token: string) => Promise<Answer>): Promise<Answer> {
      const session = await sessions.read()
      if (session?.userInfo.id !== user.id || session.expired) return UNAUTHORIZED
      const token = await current()
      if ('kind' in token) return token
      const answer = await send(token.value)
      if (!isUnauthorized(answer) || now() < refusedUntil) return answer
      const renewed = await current(token)
      if ('kind' in renewed) return renewed
      const again = await send(renewed.value)
      refusedUntil = isUnauthorized(again) ? now() + RENEWED_AGAIN_MS : -Infinity
      return again
    },
  }
}

const isUnauthorized = (answer: Answer) => answer.kind === 'answer' && answer.status === 401
