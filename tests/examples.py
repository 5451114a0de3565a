"""The number of examples for a property test."""

from hypothesis import settings

USUAL = 100


def examples(count: int) -> settings:
    profile = settings.get_profile(settings.get_current_profile_name())
    return settings(max_examples=count * profile.max_examples // USUAL)
