/* SPDX-License-Identifier: BSD-3-Clause */
/* new_template.h - what `fanfold new` writes; the campaign's name goes between
 * head and body
 */
#ifndef COMMANDS_NEW_TEMPLATE_H
#define COMMANDS_NEW_TEMPLATE_H

extern const char new_campaign_head[];
extern const char new_campaign_body[];
extern const char new_site[];

#endif /* !COMMANDS_NEW_TEMPLATE_H */
