import { type } from 'arktype'
import { expect, test } from 'vitest'
import { pastReportWire } from '#schemas/resources/past-report.ts'

test.each([
  [{ id: 'p1', workingDate: '2026-10-01' }, true],
  [{ id: 'p1', workingDate: '2026-10-01', emergencyReport: null, extra: 1 }, true],
  [{ id: 'p1', workingDate: '2026-02-30' }, false],
  [{ workingDate: '2026-10-01' }, false],
])('[PL2] %j is a row: %s', (row, fits) => expect(!(pastReportWire(row) instanceof type.errors)).toBe(fits))
