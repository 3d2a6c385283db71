import { createFileRoute } from '@tanstack/react-router'
import { ReportSection } from '#features/report-pdf/on-device.tsx'
import { SettingsScreen } from '#features/settings/settings-screen.tsx'

export const Route = createFileRoute('/_app/settings')({
  component: () => <SettingsScreen offline={<ReportSection />} />,
})
