import { broken, fields, hearing, type Variant } from './variant.ts'

const REPORT = /spa\/quickReport\/(?!requestUpdate)[^/]+$/
const NOTE = /noteLocationArea\/(?!request\/)[^/]+$/
const EMERGENCY = /emergencyReport\/(?!request\/)[^/]+$/
const LOCATION = /customerLocationChangeRequest\//
const CONTACT = /locationContactChangeRequest\/[^/]+$/

const cut = (name: string, length: number) =>
  fields((row) => (typeof row[name] === 'string' ? { ...row, [name]: row[name].slice(0, length) } : row))
/** A column that counts bytes. */
const inBytes = (name: string, most: number) =>
  fields((row) => ({
    ...row,
    [name]: new TextDecoder().decode(
      new TextEncoder().encode(typeof row[name] === 'string' ? row[name] : '').slice(0, most),
    ),
  }))

const limits: [clause: string, method: RegExp, name: string, max: number][] = [
  ['H1', NOTE, 'note', 1000],
  ['H3', EMERGENCY, 'emergencyContentsDetails', 300],
  ['H5', REPORT, 'reportContent', 500],
  ['H7', LOCATION, 'inMethod', 500],
  ['H9', CONTACT, 'name', 50],
  ['H11', CONTACT, 'means', 100],
  ['H13', CONTACT, 'tel1', 14],
]

export const textVariants: Variant[] = [
  ...limits.map(([clause, path, name, max]) =>
    broken(clause, `${name} を ${max - 1} 文字で切る`, hearing('PUT', path, cut(name, max - 1))),
  ),
  ...limits.map(([clause, path, name, max]) =>
    broken(
      `H${Number(clause.slice(1)) + 1}`,
      `${name} を ${max} 文字で黙って切る`,
      hearing('PUT', path, cut(name, max)),
    ),
  ),
  broken('H1', '文字数をバイトで数える', hearing('PUT', NOTE, inBytes('note', 1000))),
  broken(
    'H15',
    '絵文字が ? になる',
    hearing(
      'PUT',
      NOTE,
      fields((row) => ({ ...row, note: String(row['note']).replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?') })),
    ),
  ),
  broken(
    'H15',
    '< と & を HTML の書き方に変える',
    hearing(
      'PUT',
      NOTE,
      fields((row) => ({
        ...row,
        note: String(row['note']).replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
      })),
    ),
  ),
  broken(
    'H15',
    '改行を CRLF に変える',
    hearing(
      'PUT',
      NOTE,
      fields((row) => ({ ...row, note: String(row['note']).replaceAll('\n', '\r\n') })),
    ),
  ),
]
