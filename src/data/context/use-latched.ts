import { useState } from 'react'
import type { RecordAbsence } from './use-fetched-record.ts'

/**
 * Returns the current version of a form's record. If the record disappears, its last version stays, because the form
 * must not lose the user's input.
 * @param subject identifies the record of the form; for another subject, the kept version is dropped
 */
export function useLatched<T extends object>(subject: string, found: T | RecordAbsence): T | RecordAbsence {
  const [latched, setLatched] = useState<{ subject: string; last: T } | null>(null)
  if (typeof found === 'string') return latched?.subject === subject ? latched.last : found
  if (latched?.subject !== subject || latched.last !== found) setLatched({ subject, last: found })
  return found
}

/** True once `isOpen` was true, so that an open screen does not close while data is read again. */
export function useOpened(isOpen: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(false)
  if (isOpen && !wasOpen) setWasOpen(true)
  return isOpen || wasOpen
}
