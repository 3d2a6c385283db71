/** Photos that were saved on phones: each is in the file store once, or is still there, with its bytes (RULES SV2, SV3). */
import type { CrmState } from './crm-state.ts'
import { rowsOn } from './on-disk.ts'
import type { StoredDoc } from './stored-doc.ts'
import { whoseOf, type Watched } from './watched.ts'

export class PhotosKept {
  /** By its key: whose, and how many bytes it has, which no other one has. */
  private readonly saved = new Map<string, { whose: string; size: number }>()

  wrote(phone: Watched, photo: StoredDoc): void {
    const isNew = photo['unsent'] === 'yes' && photo['fileSeq'] === '' && !photo._deleted
    if (isNew) this.saved.set(String(photo['key']), { whose: whoseOf(phone), size: Number(photo['size']) })
  }

  /** Told of what is lost, or twice. */
  finish(phone: Watched, { files }: CrmState, broken: (rule: string, text: string) => void): void {
    const here = new Set(rowsOn(phone.disk(), 'photos').map(({ key }) => key))
    for (const [key, { whose, size }] of this.saved) {
      if (whose !== whoseOf(phone)) continue
      const uploads = files.uploadsOf(size)
      if (uploads > 1) broken('SV2', `the file store has a photo ${uploads} times`)
      if (uploads === 0 && !here.has(key)) broken('SV3', `${phone.name} has lost the photo ${key}`)
      if (uploads === 0 && !phone.holdsBytes(key))
        broken('SV3', `${phone.name} has lost the bytes of the photo ${key}`)
    }
  }
}
