/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_forecast.h - `plan --simulate`: what the rest of a campaign may take */
#ifndef COMMANDS_PLAN_FORECAST_H
#define COMMANDS_PLAN_FORECAST_H

struct campaign;
struct invocation;
struct json;
struct plan_site;

/* 'view' is plan_json's, made with 'sites'. */
enum exit_status plan_forecast (const struct invocation *invocation,
                                const struct campaign *campaign,
                                const struct plan_site *sites,
                                const struct json *view);

#endif /* !COMMANDS_PLAN_FORECAST_H */
