/**
 * Notes, as a CRM keeps them (crm-contract 4): a record without a natural key, so that the same content posted twice makes
 * two. A part of the model CRM.
 */
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'

interface Note {
  id: string
  requestId: string
  note: string
  loginUserId: string
  type: string
}

export const isNoteCreate = ({ method, url }: HttpCall) =>
  method === 'POST' && url.endsWith('/noteLocationArea/')

const answer = (status: number, body: unknown, total: number | null = null): Answer => ({
  kind: 'answer',
  status,
  body,
  isJson: true,
  total,
  retryAfter: null,
})

export class ModelNotes {
  private readonly notes: Note[] = []

  /** @returns null where the call is about something else */
  act(call: HttpCall): Answer | null {
    const { method, url, body = '{}' } = call
    const [, requestId] = /\/noteLocationArea\/request\/([^?]+)/.exec(url) ?? []
    if (method === 'GET' && requestId !== undefined) {
      const rows = this.notes.filter((note) => note.requestId === decodeURIComponent(requestId))
      const newestFirst = rows.toReversed()
      return answer(200, newestFirst, rows.length)
    }
    if (!isNoteCreate(call)) return null
    const sent = JSON.parse(body) as Omit<Note, 'id' | 'type'>
    const note = { ...sent, id: `n${this.notes.length + 1}`, type: '1' }
    this.notes.push(note)
    return answer(201, { id: note.id, name: `NOTE-${note.id}`, noteLocationFolderId: 'notes' })
  }
}
