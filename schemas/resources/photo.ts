/**
 * A photo: what is known of it (the bytes lie in a table of their own), what the file store says (crm-contract 5), and how
 * far what is to be done with it is on its way (decisions/photos).
 *
 *     wanted here: name, kept or deleted ─┐
 *     known there: fileSeq, storeName ────┴─ the difference is what is unsent: upload, rename or delete (photo-queue)
 */
import { type } from 'arktype'
import { CHANGE_STAMP_MAX, progress, RECORD_KEY_MAX, unsentFlag } from '#schemas/change.ts'
import { ID_MAX } from '#schemas/limits.ts'
import { wireId } from '#schemas/declare/wire.ts'

export const photoRecord = progress.merge({
  /** uuid; of a photo that was found in the file store, a digest of where it lies. Names its bytes, too. */
  key: `string <= ${ID_MAX}`,
  /** Collection and key of the record it belongs to, and that record's request. */
  resource: 'string <= 40',
  recordKey: `string <= ${RECORD_KEY_MAX}`,
  requestId: `string <= ${ID_MAX}`,
  workingDate: 'string <= 10',
  /** Unique within its record (crm-contract 4). */
  name: 'string',
  /** `latitude,longitude`; empty where no position was to be had. */
  placeInfo: 'string',
  /** ISO 8601 with offset; empty where nobody said. */
  createDate: 'string',
  /** Bytes; 0 until they were fetched. */
  size: 'number',
  type: "'image/png' | 'image/jpeg' | ''",
  wanted: "'kept' | 'deleted'",
  /** The file store's id, folder and name for it; empty until known. */
  fileSeq: `string <= ${ID_MAX}`,
  folderId: `string <= ${ID_MAX}`,
  storeName: 'string',
  /** A screen would like the bytes of a photo that lies in the file store only. */
  bytesAsked: "'yes' | 'no' | 'failed'",
  /** The last save, rename or deletion, as of a record's change; empty of a photo that was only found in the file store. */
  stamp: `string <= ${CHANGE_STAMP_MAX}`,
  savedAt: 'string',
  userId: 'string',
  offline: 'boolean',
  unsent: unsentFlag,
})
export type PhotoRecord = typeof photoRecord.infer

/** `POST {fs}/token`; `expire` in epoch seconds. */
export const fileTokenWire = type({
  access_token: 'string > 0',
  expire: type('number | string.numeric').pipe(Number),
})

/** What the file store cannot do it says with 200. */
export const fileFailureWire = type({ success: 'false', 'message?': 'string | null' })

export const fileDoneWire = type({ success: 'true' })

/** A file in a folder. */
const fileWire = type({ file_seq: wireId, name: 'string' })
export type FileWire = typeof fileWire.infer
export const fileListWire = type({ success: 'true', lists: fileWire.array() })
export const fileUploadedWire = fileWire.merge({ success: 'true' })

const folderWire = type({ id: wireId, name: 'string' })
export const folderListWire = type({ success: 'true', lists: folderWire.array() })
export const folderMadeWire = type({ success: 'true', node: folderWire })
export const downloadUrlWire = type({ download_url: 'string > 0' })
export const viewerUrlWire = type({ viewer_url: 'string > 0' })

/** What the CRM says of the folder of a record's photos (crm-contract 5). */
export const photoFolderWire = type({
  'filePath?': 'string | null',
  'name?': 'string | null',
  'safetyFolderId?': 'string | null',
  'noteLocationFolderId?': 'string | null',
  'emergencyReportFolderId?': 'string | null',
})
