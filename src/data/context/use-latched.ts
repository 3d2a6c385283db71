import { useState } from 'react'
import type { RecordAbsence } from './use-fetched-record.ts'

/**
 * The record that a form was opened with, updated live. If the record disappears from the device, is refused or no
 * longer exists in the CRM, the form continues with the last version, because the user's input must not be lost.
 * @param subject identifies the form's subject; another subject starts over
 */
export function useLatched<T extends object>(subject: string, found: T | RecordAbsence): T | RecordAbsence {
  const [latched, setLatched] = useState<{ subject: string; last: T } | null>(null)
  if (typeof found === 'string') return latched?.subject === subject ? latched.last : found
  if (latched?.subject !== subject || latched.last !== found) setLatched({ subject, last: found })
  return found
}

/**
 * True from the first time that `isOpen` is true. A screen that has opened does not close again because data is being
 * reloaded.
 */
export function useOpened(isOpen: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(false)
  if (isOpen && !wasOpen) setWasOpen(true)
  return isOpen || wasOpen
}
