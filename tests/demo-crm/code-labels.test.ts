import { loadEnv } from 'vite'
import { expect, test } from 'vitest'
import { PIT_FIELDS, pitLabel } from '#schemas/device/runtime-config.ts'
import { readCodeLabels } from '#app/config/env.ts'
import { underPitOf } from '#demo-crm/seed/equipment.ts'
import { areas } from '#demo-crm/seed/locations.ts'

test.each(['demo', 'development'])('[spec 3] each code of a pit survey has a label in %s', (mode) => {
  const problems: string[] = []
  const text = loadEnv(mode, process.cwd())['VITE_CODE_LABELS']
  const labels = readCodeLabels(text, (problem) => problems.push(problem))
  const surveys = areas.flatMap((area) => underPitOf(area) ?? [])
  const unnamed = surveys
    .flatMap((pit) => PIT_FIELDS.map((field) => [field, pit[field]] as const))
    .filter(([field, code]) => code != null && pitLabel(labels, field, code) === null)
  expect([problems, [...new Set(unnamed.map(String))]]).toEqual([[], []])
})
