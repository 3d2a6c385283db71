import { createFileRoute } from '@tanstack/react-router'
import { SupportScreen } from '#features/settings/support-screen.tsx'

export const Route = createFileRoute('/_app/settings_/support')({ component: SupportScreen })
