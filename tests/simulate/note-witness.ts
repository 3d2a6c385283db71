/**
 * The witness of notes, which no key keeps from being made twice: each that was called saved is in the CRM once, made by
 * its own user, or it is to be seen as 失敗 or 期限切れ (RULES SV2, SV4, OC9).
 */
import { queueOf } from '#schemas/change-queue.ts'
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import type { Disk } from './model-db.ts'
import { isNoteCreate } from './model-notes.ts'

interface Written {
  disk: Disk
  confirmed: boolean
  /** The CRM's ids of it. */
  made: Set<string>
}

export class NoteWitness {
  private readonly notes = new Map<string, Written>()
  private readonly broken: (rule: string, text: string) => void

  constructor(broken: (rule: string, text: string) => void) {
    this.broken = broken
  }

  /** @returns the text of a new note */
  begins(disk: Disk): string {
    const text = `note ${this.notes.size + 1}`
    this.notes.set(text, { disk, confirmed: false, made: new Set() })
    return text
  }

  confirmed(text: string): void {
    const note = this.notes.get(text)
    if (note) note.confirmed = true
  }

  private noteIn(call: HttpCall): [string, Written] | null {
    if (!isNoteCreate(call)) return null
    const { note: text } = JSON.parse(call.body ?? '{}') as { note: string }
    const note = this.notes.get(text)
    return note ? [text, note] : null
  }

  acted(call: HttpCall, answer: Answer, user: string): void {
    const [text, note] = this.noteIn(call) ?? []
    if (!text || !note || answer.kind !== 'answer' || answer.status !== 201) return
    if (user !== note.disk.userId) this.broken('SV4', `${text} of ${note.disk.userId} made as ${user}`)
    note.made.add((answer.body as { id: string }).id)
    if (note.made.size > 1) this.broken('OC9', `${text} made twice`)
  }

  /** Nothing moves any more. */
  finish(): void {
    for (const [text, { disk, confirmed, made }] of this.notes) {
      const records = disk.noteRows().map((record) => ({ resource: 'noteLocationAreas', ...record }))
      const item = queueOf(records, disk.entries()).find(({ change }) => {
        const { note } = change.fields as { note?: string }
        return note === text
      })
      if (item?.state === 'waiting' || item?.state === 'sending')
        this.broken('SV2', `${text} still ${item.ledger?.state ?? 'unsent'} at the end`)
      if (confirmed && made.size === 0 && !item) this.broken('SV2', `${text} has no effect and is not shown`)
    }
  }
}
