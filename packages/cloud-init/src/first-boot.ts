import type { FirstBootPlan } from './plan.ts';

/** First-boot data (cloud-init user data) for a new instance, as text: pass it through `encodeUserData`. */
export function firstBootData(plan: FirstBootPlan): string {
  return `#cloud-config\n${JSON.stringify({ hostname: plan.hostname })}\n`;
}
