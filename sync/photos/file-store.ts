/**
 * The calls of the file store (crm-contract 5). Each returns a result and never throws. The file store refuses with
 * 200 and `"success": false`; for an upload the reason is always ec00017. Identical reads at the same time share one
 * call, except a read that decides whether something is sent again (RULES OC6). The results do not affect the CRM's
 * connection badge or the queue of records.
 */
import { type } from 'arktype'
import { FILE_SEARCH_LIMIT } from '#schemas/limits.ts'
import {
  downloadUrlWire,
  fileDoneWire,
  fileFailureWire,
  fileListWire,
  fileUploadedWire,
  folderListWire,
  folderMadeWire,
  viewerUrlWire,
} from '#schemas/resources/photo.ts'
import { photoTypeOf } from '#schemas/resources/photo-name.ts'
import { FILES_REFUSED } from '#schemas/changes/photo-queue.ts'
import { outcomeOf, TOO_LARGE, UNAUTHORIZED, type Answer, type Outcome } from '../transport/outcome.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import type { Http, HttpCall } from '../transport/http.ts'
import type { FileToken } from './file-token.ts'

export type FileResult<T> = { kind: 'accepted'; value: T } | Exclude<Outcome, { kind: 'accepted' }>

interface Named {
  fileSeq: string
  name: string
}

export type FileStore = ReturnType<typeof createFileStore>

interface Parts {
  http: Http
  token: FileToken
  /** Base URL of the file store, `{fs}`. */
  url: string
  now: () => number
}

/** Time limit in multiples of the usual one: two minutes, enough for 10 MB over a slow line. */
const FILE_PATIENCE = 6

interface Sent {
  call: 'read' | 'write'
  method?: 'GET' | 'POST'
  body?: object
  form?: FormData
  lease?: Lease | undefined
}

type Parsed<T> = (body: unknown) => T | type.errors

/** Makes calls with the file store's token, parses the answers, and shares identical reads. */
function fileCalls({ http, token, url, now }: Parts) {
  const underWay = new Map<string, Promise<FileResult<unknown>>>()
  const answerTo = (
    path: string,
    { method = 'POST', body, form, lease }: Sent,
    more: Partial<HttpCall> = {},
  ): Promise<Answer> =>
    token.authorized((value) =>
      http({
        method,
        url: `${url}/openapp/v1/${path}`,
        ...(form && { form }),
        ...(body && { body: JSON.stringify(body) }),
        headers: { access_token: value },
        signed: false,
        lease,
        ...more,
      }),
    )
  async function call<T>(path: string, sent: Sent, parse: Parsed<T>): Promise<FileResult<T>> {
    const answer = await answerTo(path, sent, sent.form ? { patience: FILE_PATIENCE } : {})
    const outcome = withFilesRefused(answer, outcomeOf(answer, sent.call, now()))
    return resultOf(sent.call === 'write' ? withoutGatewayRefusals(outcome) : outcome, parse)
  }
  function shared<T>(id: string, run: () => Promise<FileResult<T>>): Promise<FileResult<T>> {
    const same = underWay.get(id) as Promise<FileResult<T>> | undefined
    if (same) return same
    const begun = run().finally(() => underWay.delete(id))
    underWay.set(id, begun)
    return begun
  }
  /**
   * Reads from the file store.
   * @param fresh true for a call of its own, even if the same read is in progress
   */
  const read = <T>(path: string, sent: Omit<Sent, 'call'>, parse: Parsed<T>, fresh = false) => {
    const run = () => call(path, { ...sent, call: 'read' }, parse)
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
      const result = await call(`files/upload/${at(folderId)}`, { call: 'write', form, lease }, (body) =>
        pick(fileUploadedWire(body), (parsed) => parsed.file_seq),
      )
      return result.kind === 'refused' && result.status === 200 ? { ...result, reasons: ['ec00017'] } : result
    },
    rename: (folderId: string, { fileSeq, name }: Named, lease?: Lease) =>
      call(`files/rename/${at(folderId)}`, { call: 'write', body: { file_seq: fileSeq, name }, lease }, done),
    remove: (folderId: string, fileSeq: string, lease?: Lease) =>
      call(`files/delete/${at(folderId)}`, { call: 'write', body: { file_seq: fileSeq }, lease }, done),
    files: (folderId: string, fresh?: boolean) =>
      read(`files/index/${at(folderId)}`, { method: 'GET' }, lists, fresh),
    search: (folderId: string, keyword: string, fresh?: boolean) =>
      read(`files/index/${at(folderId)}`, { body: { keyword, limit: FILE_SEARCH_LIMIT } }, lists, fresh),
    bytes: (folderId: string, { fileSeq, name }: Named): Promise<FileResult<ArrayBuffer>> =>
      shared(`bytes ${folderId} ${fileSeq}`, async () => {
        const body = { file_seq: fileSeq, name, flag_direct: 'Y' }
        const more = { bytes: true, patience: FILE_PATIENCE }
        const answer = await answerTo(`files/download/${at(folderId)}`, { call: 'read', body }, more)
        const file = fileIn(answer)
        if (!file) return resultOf(outcomeOf(answer, 'read', parts.now()), noPhoto)
        // a file that is no photo will be none at the next try either
        return photoTypeOf(file) ? { kind: 'accepted', value: file } : NO_PHOTO
      }),
    downloadUrl: (folderId: string, { fileSeq, name }: Named) =>
      read(
        `files/download/${at(folderId)}`,
        { body: { file_seq: fileSeq, name, flag_direct: 'N' } },
        (body) => pick(downloadUrlWire(body), (parsed) => parsed.download_url),
      ),
    viewerUrl: (fileSeq: string) =>
      read('viewer/create', { body: { file_seq: fileSeq } }, (body) =>
        pick(viewerUrlWire(body), (parsed) => parsed.viewer_url),
      ),
    /** Creates a folder, or returns the existing one of that name; so it is safe to repeat, like a read. */
    makeFolder: (parentId: string, name: string, lease?: Lease) =>
      call(`folders/create/${at(parentId)}`, { call: 'read', body: { name }, lease }, (body) =>
        pick(folderMadeWire(body), (parsed) => parsed.node.id),
      ),
    folders: (folderId: string) =>
      read(`folders/index/${at(folderId)}`, { method: 'GET' }, (body) =>
        pick(folderListWire(body), (parsed) => parsed.lists),
      ),
  }
}

const at = encodeURIComponent

const NO_PHOTO: FileResult<ArrayBuffer> = { kind: 'refused', status: 200, reasons: [] }
const PAGE_BEGINS = 64

/** The bytes of a file; null for anything else. A captive portal's page is recognised by its first character, `<`. */
function fileIn(answer: Answer): ArrayBuffer | null {
  const body = answer.kind === 'answer' && answer.status === 200 ? answer.body : null
  if (!(body instanceof ArrayBuffer)) return null
  return /^\s*</.test(new TextDecoder().decode(body.slice(0, PAGE_BEGINS))) ? null : body
}

/** An answer without bytes does not parse. */
const noPhoto: Parsed<ArrayBuffer> = type('ArrayBuffer')

const lists = (body: unknown) => pick(fileListWire(body), (parsed) => parsed.lists)

const done = (body: unknown) => pick(fileDoneWire(body), () => null)

const pick = <P, T>(parsed: P | type.errors, value: (parsed: P) => T): T | type.errors =>
  parsed instanceof type.errors ? parsed : value(parsed)

/** Marks a 401 of the file store to a fresh token, so that it does not end the session. `UNAUTHORIZED` means the session. */
const withFilesRefused = (answer: Answer, outcome: Outcome): Outcome =>
  outcome.kind === 'unauthorized' && answer !== UNAUTHORIZED
    ? { ...outcome, reasons: [FILES_REFUSED] }
    : outcome

/**
 * The file store refuses with 200 (`success: false`). Any other refusal comes from a gateway before it and says
 * nothing about this write (RULES OC2).
 */
function withoutGatewayRefusals(outcome: Outcome): Outcome {
  const isOthers =
    (outcome.kind === 'refused' && outcome.status !== 200 && outcome.status !== TOO_LARGE) ||
    outcome.kind === 'missing'
  return isOthers ? { kind: 'unknown', status: outcome.status } : outcome
}

/** An answer of an unexpected shape is ambiguous (RULES OC3). */
function resultOf<T>(outcome: Outcome, parse: Parsed<T>): FileResult<T> {
  if (outcome.kind !== 'accepted') return outcome
  const { status, body } = outcome
  const failure = fileFailureWire(body)
  if (!(failure instanceof type.errors))
    return { kind: 'refused', status, reasons: failure.message ? [failure.message] : [] }
  const value = parse(body)
  return value instanceof type.errors ? { kind: 'unknown', status } : { kind: 'accepted', value }
}
