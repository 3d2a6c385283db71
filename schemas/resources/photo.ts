/**
 * A photo's metadata and send state (decisions/photos), and the file store's answers (crm-contract 5). Another table
 * has the bytes. The difference between two states is what must be sent:
 *
 *     wanted on this device: name, kept or deleted ─┐
 *     known in the file store: fileSeq, storeName ──┴─→ upload, rename or delete (photo-queue.ts)
 */
import { type } from 'arktype'
import { CHANGE_STAMP_MAX, progress, RECORD_KEY_MAX, unsentFlag } from '#schemas/change.ts'
import { ID_MAX } from '#schemas/limits.ts'
import { wireId } from '#schemas/declare/wire.ts'

export const photoRecord = progress.merge({
  /** UUID, or a digest of the file's location for a photo found in the file store. The bytes have the same key. */
  key: `string <= ${ID_MAX}`,
  /** Collection of the photo's record. */
  resource: 'string <= 40',
  recordKey: `string <= ${RECORD_KEY_MAX}`,
  requestId: `string <= ${ID_MAX}`,
  workingDate: 'string <= 10',
  /** Unique within its record (crm-contract 4). */
  name: 'string',
  /** `latitude,longitude`; '' if unknown. */
  placeInfo: 'string',
  /** ISO 8601 with offset; '' if unknown. */
  createDate: 'string',
  /** Number of bytes; 0 before the bytes were read. */
  size: 'number',
  type: "'image/png' | 'image/jpeg' | ''",
  wanted: "'kept' | 'deleted'",
  /** Id, folder and name of the file in the file store; '' while unknown. */
  fileSeq: `string <= ${ID_MAX}`,
  folderId: `string <= ${ID_MAX}`,
  storeName: 'string',
  /** `yes`: a screen needs the bytes, and only the file store has them. `failed`: they could not be read from there. */
  bytesAsked: "'yes' | 'no' | 'failed'",
  /** Stamp of the last save, rename or deletion here, as the next three fields describe; '' for a photo found there. */
  stamp: `string <= ${CHANGE_STAMP_MAX}`,
  savedAt: 'string',
  userId: 'string',
  offline: 'boolean',
  unsent: unsentFlag,
})
export type PhotoRecord = typeof photoRecord.infer

/** Answer to `POST {fs}/token`. `expire` is in epoch seconds. */
export const fileTokenWire = type({
  access_token: 'string > 0',
  expire: type('number | string.numeric').pipe(Number),
})

/** A failure that the file store reports with status 200. */
export const fileFailureWire = type({ success: 'false', 'message?': 'string | null' })
export const fileDoneWire = type({ success: 'true' })
const fileWire = type({ file_seq: wireId, name: 'string' })
export type FileWire = typeof fileWire.infer
export const fileListWire = type({ success: 'true', lists: fileWire.array() })
export const fileUploadedWire = fileWire.merge({ success: 'true' })
const folderWire = type({ id: wireId, name: 'string' })
export const folderListWire = type({ success: 'true', lists: folderWire.array() })
export const folderMadeWire = type({ success: 'true', node: folderWire })

/** What the CRM returns about the folder of a record's photos (crm-contract 5). */
export const photoFolderWire = type({
  'filePath?': 'string | null',
  'name?': 'string | null',
  'safetyFolderId?': 'string | null',
  'noteLocationFolderId?': 'string | null',
  'emergencyReportFolderId?': 'string | null',
})
