"""From text to sound: clauses, spoken forms, synthesis, playing."""
