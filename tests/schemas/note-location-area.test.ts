import { expect, test } from 'vitest'
import { draftOf } from '#schemas/declare/derive.ts'
import { noteLocationArea } from '#schemas/resources/note-location-area.ts'
import { inputOf } from '#schemas/declare/form-values.ts'

test.each([
  ['a', true],
  ['あ'.repeat(1000), true],
  ['あ'.repeat(1001), false],
  ['', false],
  [' \n', false],
])('[spec 9] a note of 1 to 1000 characters: %#', (note, fits) => {
  expect(draftOf(noteLocationArea).allows({ ...inputOf(noteLocationArea), note })).toBe(fits)
})
